/**
 * The inspection of topics that need not be open. Internal; the
 * transport and the provider call it. It uses every package but {@code reading}.
 */
package dev.baton.chronicle.admin;
