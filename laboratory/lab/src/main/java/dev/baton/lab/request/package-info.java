/**
 * What one trial is asked to do: the part of the seam that the command line writes and the child JVM reads. Names no
 * other package of the laboratory.
 */
package dev.baton.lab.request;
