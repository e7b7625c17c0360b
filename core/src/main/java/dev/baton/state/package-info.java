/**
 * Snapshots of services with a state ({@link dev.baton.StatefulService}): when they are taken, how they are written and
 * read.
 *
 * <p>Used by authors of such services; others can leave this package aside. It may use
 * {@code run.Limits}.
 */
package dev.baton.state;
