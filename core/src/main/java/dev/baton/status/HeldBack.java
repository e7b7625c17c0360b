package dev.baton.status;

import java.time.Duration;

/**
 * A consumer that holds a topic back: the topic has no room for the next frame before this consumer acknowledges some.
 * Immutable, thread-safe.
 *
 * @param topic topic that has no room
 * @param consumer the consumer, of several the one that is furthest behind: a service of this chain, a tap, another chain,
 *     or one that is not running any more
 * @param frames number of frames in the topic that it has not acknowledged
 * @param nanos lower bound of the time since the topic last took a frame
 */
public record HeldBack(String topic, String consumer, long frames, long nanos) {
    @Override
    public String toString() {
        return "consumer '" + consumer + "' holds topic " + topic + " back: it is " + frames
                + " frames behind, and the topic has taken none for "
                + Duration.ofNanos(nanos).toMillis() + " ms";
    }
}
