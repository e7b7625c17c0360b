package dev.baton.engine.loop;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** Finds virtual threads by reflection, because this library is compiled for a JDK without them. */
public final class VirtualThreads {
    private VirtualThreads() {}

    /** Returns an executor with a virtual thread for each call; before JDK 21 with as many daemon threads as there are calls. */
    public static ExecutorService executor(String name) {
        if (!areSupported()) {
            return Executors.newCachedThreadPool(call -> {
                Thread thread = new Thread(call, "baton-" + name);
                thread.setDaemon(true);
                return thread;
            });
        }
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException impossible) {
            throw new UnsupportedOperationException("this JVM's virtual threads cannot be reached", impossible);
        }
    }

    private static boolean areSupported() {
        return Runtime.version().feature() >= 21;
    }

    static ThreadFactory factory() {
        if (!areSupported()) {
            throw new UnsupportedOperationException("virtual threads need JDK 21 or later, this is JDK "
                    + Runtime.version().feature() + "; use cooperative or threadPerService, or run a later JDK");
        }
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (ReflectiveOperationException impossible) {
            throw new UnsupportedOperationException("this JVM's virtual threads cannot be reached", impossible);
        }
    }
}
