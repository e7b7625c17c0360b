/**
 * Recorded topics run again: {@link dev.baton.operations.replay.Replay} and {@code baton replay}, which run services over their recorded
 * inputs and compare what they send with what was recorded, and {@code baton trace}, which follows one message through the topics by its causes.
 *
 * <p>A replay runs the duty cycle of core itself, on the calling thread, over a transport whose reader is an inspector and whose writer
 * compares ({@link dev.baton.operations.replay.RecordedTransport}), in an environment whose clock is the recorded one ({@link
 * dev.baton.operations.replay.RecordedTime}).
 */
package dev.baton.operations.replay;
