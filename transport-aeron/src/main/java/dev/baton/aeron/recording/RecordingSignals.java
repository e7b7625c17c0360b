package dev.baton.aeron.recording;

import io.aeron.Aeron;
import io.aeron.archive.client.RecordingSignalConsumer;
import io.aeron.archive.codecs.RecordingSignal;

/** What the Archive has said last about the beginning and the end of recordings. Confined to its session's thread. */
final class RecordingSignals implements RecordingSignalConsumer {
    private long begunSubscription = Aeron.NULL_VALUE;
    private long begunRecording = Aeron.NULL_VALUE;
    private long stoppedSubscription = Aeron.NULL_VALUE;
    private long failedRequest = Aeron.NULL_VALUE;

    @Override
    public void onSignal(
            long controlSession,
            long correlation,
            long recording,
            long subscription,
            long position,
            RecordingSignal signal) {
        if (signal == RecordingSignal.START || signal == RecordingSignal.EXTEND) {
            begunSubscription = subscription;
            begunRecording = recording;
        } else if (signal == RecordingSignal.STOP) {
            stoppedSubscription = subscription;
        }
    }

    /** A request was refused after it had been accepted. */
    void failed(long correlation) {
        failedRequest = correlation;
    }

    /** The recording that has begun with a subscription of the Archive; {@link Aeron#NULL_VALUE} while none has. */
    long recordingOf(long subscription) {
        return begunSubscription == subscription ? begunRecording : Aeron.NULL_VALUE;
    }

    boolean hasStopped(long subscription) {
        return stoppedSubscription == subscription;
    }

    boolean hasFailed(long correlation) {
        return failedRequest == correlation;
    }
}
