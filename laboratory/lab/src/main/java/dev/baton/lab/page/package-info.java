/**
 * Results as a page for a browser: what was read from folders becomes data, the data goes into one file that needs
 * nothing else. What it looks like is in {@code resources/page}.
 */
package dev.baton.lab.page;
