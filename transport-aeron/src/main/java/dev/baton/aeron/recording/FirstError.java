package dev.baton.aeron.recording;

import org.agrona.ErrorHandler;

/** Keeps the first error of the client, which it reports when it is of use. Confined to its session's thread. */
final class FirstError implements ErrorHandler {
    private Throwable first;

    @Override
    public void onError(Throwable error) {
        if (first == null) {
            first = error;
        }
    }

    Throwable first() {
        return first;
    }
}
