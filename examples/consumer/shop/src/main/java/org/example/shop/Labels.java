package org.example.shop;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Bytes: appends the origin of a message to its text, which is copied once. */
public final class Labels implements Service {
    private final byte[] text = new byte[64];
    private final StringBuilder label = new StringBuilder();

    @Override
    public void onMessage(Message in, Outlet out) {
        label.setLength(0);
        ByteBuffer key = in.key();
        label.append('@').append(in.topic()).append('/').append(in.partition()).append('/');
        label.append(key == null ? "-" : StandardCharsets.UTF_8.decode(key));
        byte[] added = label.toString().getBytes(StandardCharsets.UTF_8);
        if (in.length() <= text.length) {
            in.getBytes(0, text, 0, in.length());
            out.claim(in.length() + added.length)
                    .putBytes(0, text, 0, in.length())
                    .putBytes(in.length(), added, 0, added.length)
                    .commit(in.length() + added.length);
            return;
        }
        var claim = out.claim(in.length() + added.length);
        claim.payload().put(in.payload()).put(added);
        claim.commit(in.length() + added.length);
    }
}
