/** Services that handle objects instead of bytes. */
package dev.baton.codec;
