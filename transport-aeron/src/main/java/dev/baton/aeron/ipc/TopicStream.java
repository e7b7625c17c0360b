package dev.baton.aeron.ipc;

import dev.baton.aeron.log.FragmentLayout;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;

/**
 * The stream of one topic: an id and a session of Aeron IPC that no other transport over the same media driver has, in any
 * process.
 *
 * <p>Both together are a number that the driver issues once in its life, a correlation id. Publications of other programs get
 * their sessions from the driver, which reserves those up to 1,000 for clients that choose a session, as this one does.
 * Immutable, thread-safe.
 *
 * @param id of the stream; far from the small ids that users choose, for the first four thousand million topics of a driver
 * @param session of its one publication
 */
record TopicStream(int id, int session) {
    private static final int FAR_FROM_USUAL = 0x4BA7_0000;

    /**
     * Returns the stream of a correlation id.
     *
     * @param unique a correlation id of the driver
     */
    public static TopicStream of(long unique) {
        return new TopicStream((int) unique ^ FAR_FROM_USUAL, (int) (unique >>> Integer.SIZE));
    }

    /** Returns the bytes of a topic that may be unread. */
    public static int window(int termLength) {
        return termLength / 2;
    }

    /**
     * Returns the channel of the publication.
     *
     * @param begin log position of its first byte, a multiple of the term length
     * @param isSparse whether the driver leaves the pages of the log to its client, which takes them before the first use: with
     *     a full file system a store to a page that is missing would end the process by a signal
     */
    public String publication(int termLength, long begin, boolean isSparse) {
        ChannelUriStringBuilder channel = new ChannelUriStringBuilder()
                .media(CommonContext.IPC_MEDIA)
                .sessionId(session)
                .termLength(termLength)
                .mtu(FragmentLayout.mtu(termLength))
                .publicationWindowLength(window(termLength))
                .sparse(isSparse);
        return (begin == 0 ? channel : channel.initialPosition(begin, 0, termLength)).build();
    }

    /** Returns the channel of a subscription. */
    public String subscription() {
        return new ChannelUriStringBuilder()
                .media(CommonContext.IPC_MEDIA)
                .sessionId(session)
                .build();
    }
}
