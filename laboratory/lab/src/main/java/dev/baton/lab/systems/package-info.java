/**
 * Systems that users bring to be measured: finds those of jars in BATON_CLASSPATH, lists them, and runs one as the rig of a
 * trial. Commands and trials call it. It uses requests and the kernel, and no engine.
 */
package dev.baton.lab.systems;
