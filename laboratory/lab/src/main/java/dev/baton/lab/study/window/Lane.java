package dev.baton.lab.study.window;

/**
 * One part of the job from its source to its sink: a chain of its own. What it counts is for any thread, exact once its
 * threads have ended.
 */
record Lane(Part part, EventSource source, WindowService service, StepSink sink) {
    /** Events sent, and the results that are due for the steps announced. */
    long sentItems() {
        return source.sentCount() + (long) source.announcedSteps() * part.keys().keys();
    }

    /** Events counted, and results received. */
    long deliveredItems() {
        return service.eventCount() + sink.receivedCount();
    }

    /** Whether everything due was sent, counted, emitted and received. */
    boolean isDone() {
        return source.isDone()
                && service.eventCount() == source.sentCount()
                && sink.completedSteps() == source.announcedSteps();
    }
}
