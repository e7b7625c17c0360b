/**
 * A message as a service receives it, and a claim as a sender fills it, over the memory of a frame; and the encoding of
 * values.
 *
 * <p>Called once per message by all packages that read or write. It may use {@code dev.baton.spi} and the interfaces of
 * {@code dev.baton}. Not exported.
 */
package dev.baton.engine.message;
