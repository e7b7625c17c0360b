package dev.baton.lab.study.chaos;

import dev.baton.Message;
import dev.baton.lab.study.window.StatefulWindow;
import java.io.IOException;

/** The receiver of a chain with a window: notes results by their numbers. Threads as its parent. */
final class ResultReceivingEnd extends ReceivingEnd {
    ResultReceivingEnd(Plan plan) {
        super(plan);
    }

    @Override
    void onOutput(Message in) throws IOException {
        boolean isWhole =
                in.length() == StatefulWindow.RESULT_BYTES && WindowResults.isResult(in.type(), in.getLong(0));
        long number = isWhole ? WindowResults.number(in.type(), StatefulWindow.key(in.getLong(0))) : 0;
        note(number, number, in.originNanos(), isWhole);
    }
}
