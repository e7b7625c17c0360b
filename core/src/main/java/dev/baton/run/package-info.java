/** Loops, the tasks that they run in turn, and their idle strategies. */
package dev.baton.run;
