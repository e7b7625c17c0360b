/** Options for the messages of a trial: their number, times, keys and lengths, the limits that judge them, and the stages that are timed. */
package dev.baton.lab.command.load;
