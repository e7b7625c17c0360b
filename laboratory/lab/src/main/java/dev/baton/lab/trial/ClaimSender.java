package dev.baton.lab.trial;

import dev.baton.Claim;
import dev.baton.Outlet;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.PayloadScratch;
import dev.baton.measuring.rig.Sender;

/** Sends a generator's messages into a chain of Baton's. Confined to the loop of the chain's source. */
final class ClaimSender implements Sender {
    private final PayloadPattern pattern;
    private Outlet out;
    private byte[] scratch; // null until the first message

    ClaimSender(PayloadPattern pattern) {
        this.pattern = pattern;
    }

    Sender into(Outlet outlet) {
        if (out != outlet) {
            out = outlet;
        }
        return this;
    }

    @Override
    public boolean trySend(long number, long originNanos, int tag) {
        Claim opened = out.claim(pattern.length(), originNanos);
        if (opened == null) {
            return false;
        }
        if (pattern.length() > 0) {
            if (scratch == null) {
                scratch = PayloadScratch.ofThisThread(pattern.length());
            }
            pattern.write(number, scratch, 0);
            opened.putBytes(0, scratch, 0, pattern.length());
        }
        opened.type(tag).commit(pattern.length());
        return true;
    }
}
