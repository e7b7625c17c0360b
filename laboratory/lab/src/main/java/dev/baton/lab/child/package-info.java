/** The main class of a trial's fresh JVM, and which workload it runs there. */
package dev.baton.lab.child;
