/**
 * State that survives its process: by key ({@link dev.baton.KeyedService}), or saved by the service itself ({@link
 * dev.baton.StatefulService}), and when snapshots of it are taken.
 *
 * <p>Used by authors of such services; others can leave this package aside. It may use
 * {@code run.Limits}.
 */
package dev.baton.state;
