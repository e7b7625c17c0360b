/**
 * Options that several commands share: the transport, with its settings, and the loops. Commands mix them in. They use the command line of
 * {@code line}, and no command.
 */
package dev.baton.operations.options;
