package dev.baton.operations.service;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;

/**
 * Adds up the numbers that its inputs begin with, {@value SumOfNumbers#INPUTS} at a time, and sends one {@link
 * SumOfNumbers} for each group; the rest when it is closed in order. It holds the inputs of the group in hand, so that
 * they are delivered again after a crash. Confined to its loop.
 */
public final class SummingService implements Service {
    private ServiceContext context;
    private int count;
    private long first;
    private long last;
    private long sum;
    private long sentNanos;

    @Override
    public boolean holdsInputs() {
        return true;
    }

    @Override
    public void onStart(ServiceContext given) {
        context = given;
    }

    @Override
    public void onMessage(Message in, Outlet out) {
        last = in.getLong(0);
        sentNanos = in.getLong(Long.BYTES);
        sum += last;
        count++;
        if (count == 1) {
            first = last;
            context.holdFrom(in.sequence());
        }
        if (count == SumOfNumbers.INPUTS) {
            send(out, in.sequence() + 1);
        }
    }

    @Override
    public void onClosing(Outlet out) {
        if (count > 0) {
            send(out, Long.MAX_VALUE);
        }
    }

    private void send(Outlet out, long next) {
        Claim claim = out.claim(SumOfNumbers.BYTES);
        SumOfNumbers.write(claim::putLong, last, sentNanos, first, sum, count);
        claim.commit(SumOfNumbers.BYTES);
        context.holdFrom(next);
        count = 0;
        sum = 0;
    }
}
