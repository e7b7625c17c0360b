/**
 * The interface of systems that users bring to be measured. Jars in BATON_CLASSPATH implement it, and the laboratory calls
 * it. It uses nothing but the JDK.
 */
package dev.baton.measuring.system;
