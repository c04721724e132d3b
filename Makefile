# The commands of the project. CMake and Ninja do the work; tools/setup knows which
# packages are needed and installs what is missing (as root or with sudo).
#
#   make demo        set up, build, show plumb at work
#   make test        set up, build, run the tests
#   make test-long   the same with the long tiers
#   make asan        the tests with ASan and UBSan in the tool
#   make build       build into build/release
#   make install     install under PREFIX (default /usr/local; DESTDIR is honoured)
#   make format      lay out every source file
#   make lint        clang-format, the layer check, cppcheck, clang-tidy
#   make bench       the figures of docs/PERFORMANCE.md
#   make clean       remove the build trees

PREFIX ?= /usr/local
PRESET ?= release
BUILD := build/$(PRESET)
PLUMB := $(CURDIR)/$(BUILD)/bin/plumb
WERROR := $(if $(filter true,$(CI)),ON,OFF)

.PHONY: all demo test test-long asan build setup install format lint bench clean

all: build

setup:
	@tools/setup

# Not a prerequisite of setup's users: `make build` must not want to install anything.
build:
	@cmake --preset $(PRESET) -DPLUMB_WERROR=$(WERROR) >/dev/null
	@cmake --build $(BUILD)

demo: setup
	@$(MAKE) --no-print-directory build
	@PLUMB="$(PLUMB)" tools/demo

test: setup
	@$(MAKE) --no-print-directory build
	@ctest --preset $(PRESET)

test-long: setup
	@$(MAKE) --no-print-directory build
	@ctest --preset long

asan: setup
	@$(MAKE) --no-print-directory build PRESET=asan
	@ctest --preset asan

install: build
	@cmake --install $(BUILD) --prefix "$(PREFIX)"

format:
	@tools/lint format-all

lint: setup
	@$(MAKE) --no-print-directory build
	@tools/lint format
	@tools/check-layers
	@tools/lint cppcheck $(BUILD)
	@tools/lint tidy $(BUILD)

bench: build
	@PLUMB="$(PLUMB)" bash bench/run.sh
	@PLUMB="$(PLUMB)" bash bench/history.sh
	@cmake --build $(BUILD) --target bench_points >/dev/null && $(BUILD)/tests/bench_points

clean:
	@rm -rf build
