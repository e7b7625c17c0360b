/** Running chains as monitors see them, through JMX. */
package dev.baton.manage;
