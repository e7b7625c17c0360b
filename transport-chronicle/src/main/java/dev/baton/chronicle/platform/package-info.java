/**
 * Requirements on the JVM and the operating system, the space of the file system, and the sync of files. Internal; every
 * other package but {@code format} calls it. It uses the JDK, the SPI and Chronicle's system calls, and no other package of
 * the module.
 */
package dev.baton.chronicle.platform;
