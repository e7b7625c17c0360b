/**
 * Topics in memory, and processes that share them, may be killed and have faults. {@link dev.baton.test.MemoryTransport} and the testers
 * call it; it is internal and not exported. It uses the service provider interface and the environment of loops.
 */
package dev.baton.test.memory;
