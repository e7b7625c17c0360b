/** The command line: one class per command, the checks of what was typed, the exit codes. */
package dev.baton.lab.command;
