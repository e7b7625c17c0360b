package dev.baton.lab.study.selftest;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;

/** Reads a faulty topic: what is held back is not there yet. Confined to its loop. */
record FaultyReader(FaultyTopic topic) implements TopicReader {
    @Override
    public int poll(FrameHandler handler, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("a limit of " + limit + "; 1 or more is allowed");
        }
        int count = 0;
        while (count < limit) {
            byte[] next = topic.next(System.nanoTime());
            if (next == null) {
                break;
            }
            Frame frame = FaultyTopic.view(next);
            if (handler.onFrame(frame, frame.sequence()) == Verdict.RETRY) {
                break;
            }
            topic.remove();
            count++;
        }
        return count;
    }

    @Override
    public void acknowledge(long position) {
        // nothing is kept
    }

    @Override
    public long sequenceAtOpen() {
        return 0;
    }

    @Override
    public void close() {}
}
