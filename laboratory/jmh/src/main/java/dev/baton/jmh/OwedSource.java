package dev.baton.jmh;

import dev.baton.Claim;
import dev.baton.Outlet;
import dev.baton.Source;
import java.util.function.ObjLongConsumer;

/** A source that sends a requested number of messages of one length, one after the other. Confined to its loop. */
final class OwedSource implements Source {
    private final int payload;
    private final int mostPerTurn;
    private final ObjLongConsumer<Claim> content;
    private long owed;
    private long sent;

    /**
     * Creates a source.
     *
     * @param content fills the claim of a message with a number, from 1
     */
    OwedSource(int payload, int mostPerTurn, ObjLongConsumer<Claim> content) {
        this.payload = payload;
        this.mostPerTurn = mostPerTurn;
        this.content = content;
    }

    /** Sets the number of messages to send, in place of those that were not yet sent. */
    void owe(long messages) {
        owed = messages;
    }

    @Override
    public int onTick(Outlet out) {
        int count = 0;
        for (; owed > 0 && count < mostPerTurn; owed--, count++) {
            Claim claim = out.claim(payload);
            if (claim == null) {
                break;
            }
            content.accept(claim, ++sent);
            claim.commit(payload);
        }
        return count;
    }
}
