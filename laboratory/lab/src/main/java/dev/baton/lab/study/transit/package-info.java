/**
 * One topic between two threads, and the floor under it: a bare hand-over of one number, measured in the same JVM when the
 * trial's own load is over.
 */
package dev.baton.lab.study.transit;
