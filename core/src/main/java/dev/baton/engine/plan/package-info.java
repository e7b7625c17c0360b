/**
 * The plan of a chain: its services, the topic at which it begins, its interceptors, and the names of its topics and
 * consumers.
 *
 * <p>Called by {@link dev.baton.Chain}, which makes plans, and by {@code engine}, which runs them. It may use the
 * interfaces of {@code dev.baton} and {@code dev.baton.spi}. Not exported.
 */
package dev.baton.engine.plan;
