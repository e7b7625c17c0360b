/**
 * The writer of a topic: the batch, the file with its blocks and its space, the sync, and the freeing of what consumers
 * have acknowledged. Internal; connections and the repair call it. It uses {@code consumers}, {@code fencing}, {@code log},
 * {@code format} and {@code platform}.
 */
package dev.baton.chronicle.writing;
