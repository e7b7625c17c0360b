/**
 * Services with a state: {@code StatefulPart} is a part that writes snapshots to a topic of its own and restores the newest
 * one.
 *
 * <p>Called by {@code engine} on the loop of the part. It may use {@code cycle} and the packages that {@code cycle} may
 * use. Not exported.
 */
package dev.baton.engine.snapshots;
