/**
 * The plan of a chain: its services, the topic at which it begins, its interceptors, and the names of its topics and
 * consumers.
 *
 * <p>Made by {@link dev.baton.Chain} and used by the packages that run it. Not exported.
 */
package dev.baton.engine.plan;
