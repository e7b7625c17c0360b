package dev.baton.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThreadConfinementTest {
    private final ThreadConfinement confinement = new ThreadConfinement("this reader of topic 't'");

    @Test
    void theThreadThatMadeItPasses() {
        assertThatCode(confinement::check).doesNotThrowAnyException();
        assertThat(confinement.isCurrentThread()).isTrue();
        assertThat(confinement.thread()).isSameAs(Thread.currentThread());
    }

    @Test
    void anotherThreadIsNamedBesideTheOwner() {
        String owner = Thread.currentThread().getName();
        elsewhere(() -> assertThatThrownBy(confinement::check)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this reader of topic 't' belongs to thread '" + owner + "', used by thread 'elsewhere'"));
    }

    @Test
    void afterTheReleaseNobodyPasses() {
        assertThat(confinement.release()).isTrue();
        assertThat(confinement.release()).isFalse();
        assertThat(confinement.isHeld()).isFalse();
        assertThatThrownBy(confinement::check)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this reader of topic 't' is closed");
    }

    private static void elsewhere(Runnable body) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                        ended.complete(null);
                    } catch (RuntimeException | Error failure) {
                        ended.completeExceptionally(failure);
                    }
                },
                "elsewhere");
        thread.start();
        try {
            ended.orTimeout(30, TimeUnit.SECONDS).join();
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
