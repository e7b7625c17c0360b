/** What carries a chain, as typed: the transport, its options, the threads, and which of it is a secret. */
package dev.baton.operations.settings;
