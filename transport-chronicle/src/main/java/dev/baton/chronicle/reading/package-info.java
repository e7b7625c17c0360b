/**
 * The reader of a topic, and the search for the position that it starts at. Internal; connections call it. It uses
 * {@code consumers}, {@code fencing}, {@code log} and {@code format}.
 */
package dev.baton.chronicle.reading;
