/** Settings of the command line for a chain: the transport, its options, the threads, and which values are secret. */
package dev.baton.operations.settings;
