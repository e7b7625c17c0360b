/**
 * Requirements on the JVM and the operating system, the space of the file system, the sync of files, and the
 * locks of the processes that use a directory. Internal; every other package but {@code format} calls it. It uses the JDK,
 * the SPI and Chronicle's system calls, and no other package of the module.
 */
package dev.baton.chronicle.platform;
