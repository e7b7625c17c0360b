/** Loops, the tasks they run in turn, and what they do when there is nothing to do. */
package dev.baton.run;
