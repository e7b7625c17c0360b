/**
 * Recorded topics run again: {@code baton replay}, which runs services over their recorded inputs and compares what they send with what was
 * recorded, and {@code baton trace}, which follows one message through the topics by its causes.
 *
 * <p>A replay runs the duty cycle of core itself, on the calling thread, over a transport whose reader is an inspector and whose writer
 * compares ({@link dev.baton.operations.replay.RecordedTransport}), in an environment whose clock is the recorded one ({@link
 * dev.baton.operations.replay.RecordedTime}).
 */
package dev.baton.operations.replay;
