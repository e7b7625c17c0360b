package dev.baton.engine.cycle;

import dev.baton.MessageFields;
import dev.baton.MessageHandler;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.message.RequestMark;
import dev.baton.engine.plan.AsyncStart;
import dev.baton.engine.plan.InterceptedService;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.writing.FrameWriter;
import dev.baton.engine.writing.OutputMemory;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One of the calls that a service may have at work at once: a service object, and memory for the outputs of its message.
 *
 * <p>Confined to the loop while it is idle, and to the thread that runs it while it is at work; {@link #isAtWork} and {@link
 * #close} may be called on the loop at any time.
 */
final class ConcurrentCall {
    private static final int IDLE = 0;
    private static final int AT_WORK = 1;
    private static final int CLOSED = 2;

    private final Service service;
    private final boolean isPassedOn; // outputs belong to the request of their input
    private final InboundMessage message;
    private final InboundMessage output; // view of one output
    private final MessageFields fields = new MessageFields(); // of one output
    private final MessageHandler writing = (in, out) -> write(out);
    private final OutputMemory outputs;
    private final WriterOutlet outlet;
    private final PartContext context;
    private final AsyncStart async; // null for a service whose outputs are complete when its call returns
    private final AtomicInteger phase = new AtomicInteger();
    private MessageHandler handler; // the service or its outermost interceptor; set by start()

    ConcurrentCall(PartPlan plan, Service service, WriterOutlet to, PartContext ofPart) {
        this.service = service;
        this.isPassedOn = plan.passesRequestsOn();
        this.message = new InboundMessage(plan.input());
        this.output = new InboundMessage(plan.input());
        int longest = plan.writers().maxPayload();
        this.outputs = new OutputMemory(to.writer().incarnation(), longest);
        FrameWriter frames = new FrameWriter(outputs, longest);
        this.outlet = new WriterOutlet(frames, plan.maxOutputs(), ofPart.environment(), message);
        this.context = ofPart.ofCall(frames, message);
        this.async = InterceptedService.asyncStart(service);
    }

    void start() throws Exception {
        service.onStart(context);
        handler = InterceptedService.handler(service);
    }

    /** Sets the message of the next run, which has the author of the part's current message. */
    void begin(Frame frame, InboundMessage current, PartContext ofPart) {
        message.of(frame, frame.head());
        RequestMark request = outlet.frames().request();
        request.clear();
        int at = isPassedOn ? RequestMark.find(frame) : Extension.NONE;
        if (at != Extension.NONE) { // the field makes the longest output shorter
            request.set(RequestMark.asker(frame, at), RequestMark.number(frame, at));
        }
        message.isOfThisBoot(current.isOfThisBoot());
        context.inputsAsIn(ofPart);
        phase.set(AT_WORK);
    }

    /** Calls the service. Returns the exception that it threw; null for none. */
    Throwable run() {
        outputs.rewind(0);
        outlet.beginInput(message.servicesPassed() + 1, message.sequence(), message.originNanos());
        Throwable thrown = handle(handler);
        if (thrown != null) {
            cancelStage(); // an interceptor has thrown
        }
        if (!phase.compareAndSet(AT_WORK, IDLE)) {
            closeLate();
        }
        return thrown;
    }

    private Throwable handle(MessageHandler by) {
        try {
            outlet.beginBatch();
            by.onMessage(message, outlet);
            outlet.end();
            return null;
        } catch (Throwable failure) {
            outlet.abortOpenClaim();
            return failure;
        }
    }

    /** Returns the stage that the last run has started, once; null for none. */
    CompletionStage<?> takeStage() {
        return async == null ? null : async.takeStage();
    }

    /** Returns the time within which a stage has to complete. */
    long timeoutNanos() {
        return async.timeoutNanos();
    }

    /** Adds the outputs of a stage that is complete, on the loop. Returns the exception thrown; null for none. */
    Throwable complete(Object result) {
        return handle((in, out) -> async.complete(in, result, out));
    }

    private void cancelStage() {
        if (async != null) {
            async.cancelStage();
        }
    }

    private void closeLate() {
        cancelStage();
        try {
            service.onClosed();
        } catch (RuntimeException failed) {
            System.getLogger("dev.baton")
                    .log(
                            Level.WARNING,
                            "a concurrent call that outlived its chain failed in onClosed: " + failed,
                            failed);
        }
    }

    /** Ends a run that no thread makes. */
    void withdraw() {
        phase.set(IDLE);
    }

    boolean isAtWork() {
        return phase.get() == AT_WORK;
    }

    /** Writes the outputs of the last run. */
    private void write(Outlet to) {
        for (int i = 0; i < outputs.sequence(); i++) {
            Frame frame = outputs.frame(i);
            output.of(frame, frame.head());
            fields.type(output.type())
                    .originNanos(frame.originNanos())
                    .key(output.key())
                    .trace(output.trace());
            to.claim(output.length(), fields).putPayload(output).commit(output.length());
        }
    }

    /** {@return a handler that writes the outputs of the last run instead of calling the service} */
    MessageHandler outputs() {
        return writing;
    }

    void closing(Outlet to) throws Exception {
        service.onClosing(to);
    }

    /** Makes the last call of the service, which follows the call that is at work. */
    void close(PartPlan plan) {
        if (phase.getAndSet(CLOSED) == IDLE) {
            cancelStage();
            plan.loop().call(service::onClosed);
        }
    }
}
