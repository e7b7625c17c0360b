package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.async.AsyncService;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An asynchronous service that a decorator calls as one that blocks. */
class AsyncCallTest {
    private static final ValueCodec<Long> NUMBERS = ValueCodec.longs(0);

    @Test
    void interruptedCallCancelsItsStage() {
        CompletableFuture<Long> stage = new CompletableFuture<>();
        AsyncService<Long> service = new AsyncService<>() {
            @Override
            public CompletableFuture<Long> process(Message in) {
                return stage;
            }

            @Override
            public void onResult(Message in, Long result, Outlet out) {
                out.send(result, NUMBERS);
            }
        };
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> service.onMessage(null, null)).isInstanceOf(InterruptedException.class);
        assertThat(stage).isCancelled();
    }
}
