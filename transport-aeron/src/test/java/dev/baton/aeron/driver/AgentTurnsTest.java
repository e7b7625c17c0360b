package dev.baton.aeron.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AgentTurnsTest {
    private final AtomicInteger turns = new AtomicInteger();
    private boolean interruptInTurn;

    @AfterEach
    void endTheInterrupt() {
        Thread.interrupted();
    }

    @Test
    void anInterruptDoesNotEndAnAgent() {
        AgentInvoker invoker = new AgentInvoker(error -> {}, null, new WithoutWork());
        invoker.start();
        Thread.currentThread().interrupt();
        AgentTurns.invoke(invoker, error -> {});
        AgentTurns.invoke(invoker, error -> {});
        assertThat(invoker.isRunning()).isTrue();
        assertThat(turns).hasValue(2);
    }

    @Test
    void theThreadStaysAsInterruptedAsItWas() {
        AgentInvoker invoker = new AgentInvoker(error -> {}, null, new WithoutWork());
        invoker.start();
        AgentTurns.invoke(invoker, error -> {});
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.currentThread().interrupt();
        AgentTurns.invoke(invoker, error -> {});
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void interruptInsideATurnDoesNotEndTheAgent() {
        AgentInvoker invoker = new AgentInvoker(error -> {}, null, new WithoutWork());
        invoker.start();
        interruptInTurn = true;
        AgentTurns.invoke(invoker, error -> {});
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        AgentTurns.invoke(invoker, error -> {});
        assertThat(turns).hasValue(2);
    }

    private final class WithoutWork implements Agent {
        @Override
        public int doWork() {
            turns.incrementAndGet();
            if (interruptInTurn) {
                Thread.currentThread().interrupt();
            }
            return 0;
        }

        @Override
        public String roleName() {
            return "without-work";
        }
    }
}
