# How our own code is compiled.
include(CheckCCompilerFlag)

set(plumb_warning_flags
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Wvla -Wcast-qual
  -Wpointer-arith -Wwrite-strings -Wstrict-prototypes -Wmissing-prototypes
  -Wformat=2 -Wswitch-enum -Wnull-dereference -Wimplicit-fallthrough)

# The warnings of the project; with PLUMB_WERROR they are errors.
function(plumb_warnings target)
  set(flags ${plumb_warning_flags} -fno-common -fvisibility=hidden
      "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=") # __FILE__ is src/...
  if(PLUMB_WERROR)
    list(APPEND flags -Werror)
  endif()
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:C>:${flags}>")
endfunction()

# ASan and UBSan. For the tool and its unit tests only, never for the runtime: it
# replaces malloc and moves between stacks, and AddressSanitizer does the same.
function(plumb_sanitize target)
  if(PLUMB_SANITIZE)
    set(flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(${target} PRIVATE ${flags})
    target_link_options(${target} PRIVATE ${flags})
  endif()
endfunction()

# The runtime lives inside the subject's process, below its libc calls.
function(plumb_runtime_flags target)
  set(flags
    # One speed in every preset: the runtime is what an execution costs. A step goes
    # through five files: they are optimised as one (but not where there is assembly).
    -O3 -g -flto=auto -fno-semantic-interposition
    # No inline bodies from libc's headers for functions that we define.
    -D__NO_INLINE__=1
    # A function that asks who called it must have been called, not jumped to.
    -fno-optimize-sibling-calls
    # A subject's C++ exception must be able to pass, a stack to be walked.
    -fexceptions -fasynchronous-unwind-tables
    # A canary is read through the thread pointer, which we move.
    -fno-stack-protector -U_FORTIFY_SOURCE
    # No shadow stack: fibers return on stacks of their own.
    -fcf-protection=none)
  # A loop in our memcpy must not be turned into a call of memcpy.
  check_c_compiler_flag(-fno-tree-loop-distribute-patterns plumb_has_no_loop_patterns)
  if(plumb_has_no_loop_patterns)
    list(APPEND flags -fno-tree-loop-distribute-patterns)
  endif()
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:C>:${flags}>")
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  set_source_files_properties(src/runtime/arch_x86_64.c src/runtime/crash.c
    PROPERTIES COMPILE_OPTIONS -fno-lto)
  target_link_options(${target} PRIVATE
    # Nothing is resolved lazily: a lookup in the middle of a step would take locks.
    LINKER:-z,now
    # Our own calls reach our own functions; the subject's reach the exported ones.
    LINKER:-Bsymbolic-functions
    LINKER:-z,defs LINKER:-z,noexecstack)
  target_link_libraries(${target} PRIVATE dl gcc_s)
endfunction()
