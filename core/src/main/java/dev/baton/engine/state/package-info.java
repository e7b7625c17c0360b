/**
 * The contents of snapshots: the state that a service saves by itself, and keyed state, which the engine holds.
 *
 * <p>Called by the context of a service and by its snapshots. It may use {@code message}.
 */
package dev.baton.engine.state;
