/**
 * The JVMs in which trials run: where they are, what they are asked at their start, and the flags that they get. The launch of processes uses
 * them; they use no process but to ask a JVM for its version.
 */
package dev.baton.lab.launch.jvm;
