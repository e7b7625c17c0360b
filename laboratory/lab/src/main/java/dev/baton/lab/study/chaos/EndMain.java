package dev.baton.lab.study.chaos;

import dev.baton.lab.results.Json;
import dev.baton.operations.line.Interruption;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The process at one end of the chain: the sender, or the receiver. It ends in good order on SIGTERM, and when its
 * standard input ends, as it does with the process that started it.
 */
public final class EndMain {
    private EndMain() {}

    /**
     * Runs until asked to end.
     *
     * @param arguments the file of an {@link EndPlan}
     */
    public static void main(String[] arguments) throws IOException {
        EndPlan plan = Json.read(Path.of(arguments[0]), EndPlan.class);
        Interruption interruption = Interruption.ofThisProcess();
        interruption.isOrdinaryEnd();
        ChainEnd end = plan.journal() == null ? new SendingEnd(plan) : new ReceivingEnd(plan);
        interruption.stopping(end::stop);
        interruption.requestAtEndOfInput("baton-chaos-parent");
        interruption.exit(end.run(System.out::println));
    }
}
