package dev.baton.benchmark.trial;

import dev.baton.Claim;
import dev.baton.Outlet;
import dev.baton.benchmark.measure.PayloadPattern;
import dev.baton.benchmark.rig.Sender;

/** Sends a generator's messages into a chain of Baton's. Confined to the loop of the chain's source. */
final class ClaimSender implements Sender, PayloadPattern.Target {
    private final PayloadPattern pattern;
    private Outlet out;
    private Claim claim;

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
            claim = opened;
            pattern.write(number, this);
        }
        opened.type(tag).commit(pattern.length());
        return true;
    }

    @Override
    public void putLong(int index, long value) {
        claim.putLong(index, value);
    }

    @Override
    public void putByte(int index, byte value) {
        claim.putByte(index, value);
    }
}
