/** One topic between two threads, and their floor: a bare hand-over of one number, measured in the same JVM after the trial's own load. */
package dev.baton.lab.study.transit;
