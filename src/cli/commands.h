/* The commands. Each gets the arguments after its name and returns the exit code. */
#ifndef PL_CLI_COMMANDS_H
#define PL_CLI_COMMANDS_H

int pl_command_run(int argc, char **argv);
int pl_command_explore(int argc, char **argv);
int pl_command_check(int argc, char **argv);
int pl_command_history(int argc, char **argv);
int pl_command_stress(int argc, char **argv);
int pl_command_localise(int argc, char **argv);
int pl_command_replay(int argc, char **argv);
int pl_command_bench(int argc, char **argv);

#endif
