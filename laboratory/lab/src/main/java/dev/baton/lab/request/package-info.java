/**
 * The request of one trial: the part of the seam that the command line writes and the child JVM reads. It depends on no other package of
 * the laboratory.
 */
package dev.baton.lab.request;
