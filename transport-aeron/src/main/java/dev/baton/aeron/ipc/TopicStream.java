package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.log.FragmentLayout;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;

/**
 * The stream of one topic: an id and a session of Aeron IPC that no other transport over the same media driver has, in whatever process.
 *
 * <p>Both together are a number that the driver gives out once in its life, a correlation id. Publications of other programs get
 * their sessions from the driver, which keeps those up to 1,000 for who names them, as this one does. Immutable, thread-safe.
 *
 * @param id of the stream; of the first four thousand million topics in a driver never a small number, as people type them
 * @param session of its one publication
 */
record TopicStream(int id, int session) {
    private static final int FAR_FROM_TYPED = 0x4BA7_0000;

    /**
     * Makes one of a number.
     *
     * @param unique among all that the driver has given out
     */
    static TopicStream of(long unique) {
        return new TopicStream((int) unique ^ FAR_FROM_TYPED, (int) (unique >>> Integer.SIZE));
    }

    /** Bytes of a topic that may lie unread. */
    static int window(AeronOptions options) {
        return options.termLength() / 2;
    }

    /** Channel of the publication: a log that has all its pages at once, or a full file system would end a process by a signal. */
    String publication(AeronOptions options) {
        return new ChannelUriStringBuilder()
                .media(CommonContext.IPC_MEDIA)
                .sessionId(session)
                .termLength(options.termLength())
                .mtu(FragmentLayout.mtu(options.termLength()))
                .publicationWindowLength(window(options))
                .sparse(false)
                .build();
    }

    /** Channel of a subscription. */
    String subscription() {
        return new ChannelUriStringBuilder()
                .media(CommonContext.IPC_MEDIA)
                .sessionId(session)
                .build();
    }
}
