package dev.baton.test.guard;

import dev.baton.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The message of one callback; a later use throws. Confined to the thread of the callback. */
final class GuardedMessage implements Message {
    private final Message message;
    private final String service;
    private final CallbackHooks hooks;
    private final String text;
    private final Thread thread = Thread.currentThread();
    private ByteBuffer payload; // a copy, made on first use and overwritten at the end; null before
    private ByteBuffer payloadView;
    private ByteBuffer key;
    private ByteBuffer keyView;
    private boolean hasEnded;

    GuardedMessage(Message message, String service, CallbackHooks hooks) {
        this.message = message;
        this.service = service;
        this.hooks = hooks;
        this.text = "message " + message.sequence() + " of topic " + message.topic();
    }

    /** Returns the message, or throws outside of the callback. */
    Message live() {
        if (hasEnded) {
            throw misuse(text
                    + " is used after its callback has returned; copy what is needed later, do not keep the message");
        }
        if (Thread.currentThread() != thread) {
            throw misuse(text + " is used by thread " + Thread.currentThread().getName()
                    + "; it belongs to the thread of its callback");
        }
        return message;
    }

    private IllegalStateException misuse(String what) {
        IllegalStateException misuse = new IllegalStateException("service " + service + ": " + what);
        hooks.misused(service, misuse);
        return misuse;
    }

    /** Ends the callback: later uses throw. */
    void end(byte poison) {
        hasEnded = true;
        overwrite(payload, poison);
        overwrite(key, poison);
    }

    private static void overwrite(ByteBuffer copy, byte poison) {
        for (int i = 0; copy != null && i < copy.capacity(); i++) {
            copy.put(i, poison);
        }
    }

    @Override
    public String topic() {
        return live().topic();
    }

    @Override
    public int partition() {
        return live().partition();
    }

    @Override
    public ByteBuffer key() {
        ByteBuffer view = live().key();
        if (view == null) {
            return null;
        }
        if (key == null) {
            key = Sent.copy(view);
            keyView = key.asReadOnlyBuffer();
        }
        keyView.clear();
        return keyView;
    }

    @Override
    public ByteBuffer trace() {
        ByteBuffer view = live().trace();
        return view == null ? null : Sent.copy(view).asReadOnlyBuffer();
    }

    @Override
    public long sequence() {
        return live().sequence();
    }

    @Override
    public long cause() {
        return live().cause();
    }

    @Override
    public boolean isOfTick() {
        return live().isOfTick();
    }

    @Override
    public boolean isRedelivered() {
        return live().isRedelivered();
    }

    @Override
    public long originNanos() {
        return live().originNanos();
    }

    @Override
    public long originWallNanos() {
        return live().originWallNanos();
    }

    @Override
    public long sentNanos() {
        return live().sentNanos();
    }

    @Override
    public int servicesPassed() {
        return live().servicesPassed();
    }

    @Override
    public int type() {
        return live().type();
    }

    @Override
    public int length() {
        return live().length();
    }

    @Override
    public byte getByte(int index) {
        return live().getByte(index);
    }

    @Override
    public short getShort(int index) {
        return live().getShort(index);
    }

    @Override
    public int getInt(int index) {
        return live().getInt(index);
    }

    @Override
    public long getLong(int index) {
        return live().getLong(index);
    }

    @Override
    public double getDouble(int index) {
        return live().getDouble(index);
    }

    @Override
    public void getBytes(int index, byte[] target, int offset, int count) {
        live().getBytes(index, target, offset, count);
    }

    @Override
    public void getBytes(int index, ByteBuffer target, int offset, int count) {
        live().getBytes(index, target, offset, count);
    }

    @Override
    public ByteBuffer payload() {
        ByteBuffer view = live().payload();
        if (payload == null) {
            payload = Sent.copy(view);
            payloadView = payload.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
        }
        payloadView.clear();
        return payloadView;
    }

    @Override
    public String toString() {
        return text;
    }
}
