package dev.baton.engine.cycle;

import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.message.Replies;
import dev.baton.engine.message.RequestMark;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The inputs of a service that belong to requests, and their replies.
 *
 * <p>Outputs of such an input belong to the same request. An input that leads to no output, because the service filters it out
 * or gives it up, leads to a reply in place of the output: a frame that later services pass on without being called. It is
 * an output like any other, with its input as the cause, so that recovery, back-pressure and acknowledgements apply to it.
 * The part that reads the last topic hands messages and replies to the requests of its process, and keeps replies from the
 * handler. A chain that begins at a topic of another chain, and a merge, drop replies and end requests. Confined to its loop.
 */
final class RequestCalls {
    private static final byte[] NO_BYTES = {};
    private static final int MOST_TEXT = 1024;

    private final String service;
    private final int longestText;
    private final Replies replies; // null unless the part reads the last topic
    private final boolean isPassedOn; // whether outputs belong to the request of their input
    private final RequestMark mark;
    private boolean isRequest; // whether the current input belongs to a request
    private int kind; // kind of the current input; that of a message if it belongs to none

    /**
     * Creates the calls of a service.
     *
     * @param service name of the service
     * @param maxPayload longest payload of its outputs
     * @param replies replies of the process; null unless the service reads the last topic
     * @param isPassedOn whether outputs belong to the request of their input
     * @param mark mark of the service's outputs
     */
    RequestCalls(String service, int maxPayload, Replies replies, boolean isPassedOn, RequestMark mark) {
        this.service = service;
        this.longestText = Math.max(0, Math.min(MOST_TEXT, maxPayload - RequestMark.BYTES));
        this.replies = replies;
        this.isPassedOn = isPassedOn;
        this.mark = mark;
    }

    /** Returns whether a frame is a reply in place of an output, for which no service is called. */
    static boolean isReply(Frame frame) {
        int at = RequestMark.find(frame);
        return at != Extension.NONE && RequestMark.kind(frame, at) != RequestMark.MESSAGE;
    }

    /** Begins an input that is not plain, and returns whether it belongs to a request. {@link #end} ends it. */
    boolean begin(Frame frame) {
        int at = RequestMark.find(frame);
        if (at == Extension.NONE) {
            return false;
        }
        isRequest = true;
        kind = RequestMark.kind(frame, at);
        if (isPassedOn) {
            mark.set(RequestMark.asker(frame, at), RequestMark.number(frame, at));
        }
        return true;
    }

    /** Ends the current input. */
    void end() {
        isRequest = false;
        mark.clear();
        kind = RequestMark.MESSAGE;
    }

    /**
     * Passes the current input on if it is a reply; otherwise returns true, and the service is called for it. The part that reads the
     * last topic hands both to the requests of its process.
     */
    boolean isForService(InboundMessage message, WriterOutlet out) {
        if (isRequest && replies != null) {
            replies.received(message);
        }
        if (kind != RequestMark.MESSAGE && mark.isSet()) {
            byte[] text = new byte[message.length()];
            message.getBytes(0, text, 0, text.length);
            out.reply(kind, text);
        }
        return kind == RequestMark.MESSAGE;
    }

    /** Replies in place of the service, if the current input belongs to a request and led to no output. */
    void handled(WriterOutlet out) {
        if (mark.isSet() && out.hasNoOutput()) {
            out.reply(RequestMark.EMPTY, NO_BYTES);
        }
    }

    /**
     * Sends the reply of a service that gave up the current request. Has no effect for other messages.
     *
     * @param thrown the reason; null if it was given up in an earlier run
     */
    void giveUp(Throwable thrown, WriterOutlet out) {
        if (mark.isSet()) {
            String text = "service " + service + " gave up: "
                    + (thrown == null ? "its dead letter was stored before a restart and names the cause" : thrown);
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            out.reply(RequestMark.FAILED, Arrays.copyOf(bytes, Math.min(bytes.length, longestText)));
        }
    }
}
