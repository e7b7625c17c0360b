package dev.baton.engine.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.run.Environment;
import dev.baton.run.Idle;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Proof that a request to a loop that ends is answered or refused: no future stays open.
 *
 * <p>The caller puts the command into the queue and then checks whether the loop is stopping; if so, and if the command is still there, it
 * is taken back and refused. The loop is stopped before it empties the queue for the last time. If the check finds the loop not stopping,
 * the command was in the queue before that, and the last emptying runs it. If it finds it stopping, the command is still there and is
 * refused, or the loop has taken it and runs it.
 */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "Answered.")
@Outcome(id = "2", expect = ACCEPTABLE, desc = "Refused: the loop has ended.")
@Outcome(id = "0", expect = FORBIDDEN, desc = "Neither: the future never completes.")
@State
public class LoopCommandProof {
    private static final int OPEN = 0;
    private static final int ANSWERED = 1;
    private static final int REFUSED = 2;

    private final Loop loop = new Loop(Environment.system(), Idle.spin(), 0, false, false);
    private CompletableFuture<Integer> answer;

    @Actor
    public void asker() {
        answer = loop.ask(() -> 1);
    }

    @Actor
    public void loop() {
        loop.stop();
        while (loop.run()) {
            // its pauses are its own
        }
    }

    @Arbiter
    public void judge(I_Result seen) {
        seen.r1 = !answer.isDone() ? OPEN : answer.isCompletedExceptionally() ? REFUSED : ANSWERED;
    }
}
